//! Instructions on values → operations on registers and memory.
//!
//! One pass over straight code. A value is in a register, in memory, or both. When registers
//! run out, the value that is needed furthest ahead leaves its register, and is stored if it
//! is nowhere else. A slot is used again once its value is dead.
//!
//! Memory is laid out as [`crate::kernel::portable`] has it: zero, inputs, outputs, then what waits.

use super::select::{Instruction, Operator, Selection};

/// A register by its number.
pub(super) type Register = u8;
/// A word of memory by its number.
pub(super) type Slot = u32;

/// Where an operand is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Register(Register),
    Memory(Slot),
}

/// What the processor does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Load(Register, Slot),
    Store(Slot, Register),
    Move(Register, Register),
    Zero(Register),
    Ones(Register),
    /// A function of two: to, first, second.
    Two(Operator, Register, Register, Place),
    /// A function of three, of which the first is overwritten: to, second, third.
    Lookup(u8, Register, Register, Place),
}

/// An operand in memory that is needed again this soon is brought into a register.
const SOON: usize = 24;
/// Not needed any more.
const NEVER: u32 = u32::MAX;

/// Operations, and how many words of memory they need.
pub(super) struct Allocation {
    pub(super) operations: Vec<Operation>,
    /// Where segments end. Between them, nothing is in registers.
    pub(super) ends: Vec<usize>,
    pub(super) slots: usize,
}

/// Allocates for so many registers, in segments of about so many operations.
pub(super) fn allocate(selection: &Selection, registers: usize, segment: usize) -> Allocation {
    let mut allocator = Allocator::new(selection, registers);
    let mut ends = Vec::new();
    for (number, instruction) in selection.instructions.iter().enumerate() {
        let begun = ends.last().copied().unwrap_or(0);
        if allocator.operations.len() - begun >= segment {
            allocator.leave_registers();
            ends.push(allocator.operations.len());
        }
        allocator.now = number;
        allocator.instruction(instruction, selection.inputs + 1 + number);
    }
    allocator.copy_inputs(selection);
    ends.push(allocator.operations.len());
    Allocation {
        operations: allocator.operations,
        ends,
        slots: allocator.slots,
    }
}

struct Allocator {
    operations: Vec<Operation>,
    /// Which value each register has.
    holds: Vec<Option<u32>>,
    /// Which register each value is in.
    register: Vec<Option<Register>>,
    /// Where in memory each value is.
    home: Vec<Option<Slot>>,
    uses: Uses,
    /// For each value the outputs it is, as links: first, and next of each output.
    outputs: Links,
    free: Vec<Slot>,
    /// Slots that are free after the present instruction, which may still read them.
    freed: Vec<Slot>,
    first_scratch: usize,
    slots: usize,
    now: usize,
}

impl Allocator {
    fn new(selection: &Selection, registers: usize) -> Allocator {
        let inputs = selection.inputs;
        let values = 1 + inputs + selection.instructions.len();
        let first_scratch = selection.first_scratch;
        let home = (0..values).map(|value| (value <= inputs).then_some(value as Slot));
        Allocator {
            operations: Vec::with_capacity(2 * selection.instructions.len()),
            holds: vec![None; registers],
            register: vec![None; values],
            home: home.collect(),
            uses: Uses::new(selection, values),
            outputs: Links::new(selection, values),
            free: Vec::new(),
            freed: Vec::new(),
            first_scratch,
            slots: first_scratch,
            now: 0,
        }
    }

    fn instruction(&mut self, instruction: &Instruction, value: usize) {
        let operands = &instruction.operands[..instruction.operator.operands()];
        let to = match instruction.operator {
            Operator::Zero => self.constant(Operation::Zero),
            Operator::Ones => self.constant(Operation::Ones),
            Operator::Not => self.not(operands[0]),
            Operator::Lookup(table) => self.three(table, [operands[0], operands[1], operands[2]]),
            operator => self.two(operator, operands[0], operands[1]),
        };
        self.holds[to as usize] = Some(value as u32);
        self.register[value] = Some(to);
        let mut output = self.outputs.first[value];
        while let Some(number) = output {
            let slot = self.outputs.slots[number as usize];
            self.operations.push(Operation::Store(slot, to));
            self.home[value] = Some(slot);
            output = self.outputs.next[number as usize];
        }
        if self.uses.next(value as u32) == NEVER {
            self.drop(value as u32);
        }
        self.free.append(&mut self.freed);
    }

    fn constant(&mut self, operation: fn(Register) -> Operation) -> Register {
        let to = self.fresh(&[]);
        self.operations.push(operation(to));
        to
    }

    fn not(&mut self, operand: u32) -> Register {
        let ones = self.fresh(&[operand]);
        self.operations.push(Operation::Ones(ones));
        let place = self.place(operand);
        self.used(operand);
        self.operations
            .push(Operation::Two(Operator::Xor, ones, ones, place));
        ones
    }

    fn two(&mut self, operator: Operator, mut a: u32, mut b: u32) -> Register {
        let both = [a, b];
        let commutes = operator != Operator::AndNot;
        if commutes && self.register[a as usize].is_none() {
            std::mem::swap(&mut a, &mut b);
        }
        let first = self.in_register(a, &both);
        let second = self.near(b, &both);
        self.used(a);
        self.used(b);
        let to = match second {
            _ if self.holds[first as usize].is_none() => first,
            Place::Register(second) if self.holds[second as usize].is_none() => second,
            _ => self.fresh(&both),
        };
        self.operations
            .push(Operation::Two(operator, to, first, second));
        to
    }

    fn three(&mut self, table: u8, operands: [u32; 3]) -> Register {
        let order = self.order(operands);
        let table = permuted(table, order);
        let [a, b, c] = order.map(|place| operands[place]);
        let second = self.in_register(b, &operands);
        let third = self.near(c, &operands);
        let keep_first = self.uses.after(a) != NEVER;
        let to = match self.register[a as usize] {
            Some(register) if !keep_first => register,
            Some(register) => {
                let to = self.fresh(&operands);
                self.operations.push(Operation::Move(to, register));
                to
            }
            None => {
                let to = self.fresh(&operands);
                self.operations.push(Operation::Load(to, self.slot(a)));
                to
            }
        };
        for operand in [a, b, c] {
            self.used(operand);
        }
        self.operations
            .push(Operation::Lookup(table, to, second, third));
        to
    }

    /// Which operand is overwritten, which is in a register, which may be in memory.
    fn order(&self, operands: [u32; 3]) -> [usize; 3] {
        let cost = |place: &usize| {
            let operand = operands[*place];
            let alone = operands.iter().filter(|&&it| it == operand).count() == 1;
            match self.register[operand as usize] {
                Some(_) if alone && self.uses.after(operand) == NEVER => 0,
                None => 1,
                Some(_) => 2,
            }
        };
        let first = (0..3).min_by_key(cost).unwrap_or(0);
        let (mut second, mut third) = ((first + 1) % 3, (first + 2) % 3);
        if self.register[operands[second] as usize].is_none() {
            std::mem::swap(&mut second, &mut third);
        }
        [first, second, third]
    }

    /// The register of a value, loaded if need be.
    fn in_register(&mut self, value: u32, keep: &[u32]) -> Register {
        if let Some(register) = self.register[value as usize] {
            return register;
        }
        let register = self.fresh(keep);
        self.operations
            .push(Operation::Load(register, self.slot(value)));
        self.holds[register as usize] = Some(value);
        self.register[value as usize] = Some(register);
        register
    }

    /// Where a value is, in a register if it is needed again soon.
    fn near(&mut self, value: u32, keep: &[u32]) -> Place {
        let after = self.uses.after(value);
        if after != NEVER && after as usize <= self.now + SOON {
            return Place::Register(self.in_register(value, keep));
        }
        self.place(value)
    }

    fn place(&self, value: u32) -> Place {
        match self.register[value as usize] {
            Some(register) => Place::Register(register),
            None => Place::Memory(self.slot(value)),
        }
    }

    fn slot(&self, value: u32) -> Slot {
        self.home[value as usize].expect("a value is in a register or in memory")
    }

    /// An operand was used; it leaves its register if it is not needed any more.
    fn used(&mut self, value: u32) {
        self.uses.advance(value);
        if self.uses.next(value) == NEVER {
            self.drop(value);
        }
    }

    fn drop(&mut self, value: u32) {
        if let Some(register) = self.register[value as usize].take() {
            self.holds[register as usize] = None;
        }
        let scratch = |slot: &mut Slot| *slot as usize >= self.first_scratch;
        self.freed
            .extend(self.home[value as usize].take_if(scratch));
    }

    /// A register that holds nothing, or nothing any more.
    fn fresh(&mut self, keep: &[u32]) -> Register {
        if let Some(register) = self.holds.iter().position(Option::is_none) {
            return register as Register;
        }
        let mut furthest = (0, 0);
        for (register, held) in self.holds.iter().enumerate() {
            let Some(value) = held.filter(|value| !keep.contains(value)) else {
                continue;
            };
            furthest = furthest.max((self.uses.next(value), register));
        }
        self.leave(furthest.1);
        furthest.1 as Register
    }

    /// Takes all values out of their registers.
    fn leave_registers(&mut self) {
        for register in 0..self.holds.len() {
            if self.holds[register].is_some() {
                self.leave(register);
            }
        }
    }

    /// Takes a value out of its register; it is stored if it is nowhere else.
    fn leave(&mut self, register: usize) {
        let value = self.holds[register].take();
        let value = value.expect("a register that holds a value") as usize;
        self.register[value] = None;
        if self.home[value].is_none() {
            let slot = self.free.pop().unwrap_or_else(|| {
                self.slots += 1;
                self.slots as Slot - 1
            });
            self.home[value] = Some(slot);
            self.operations
                .push(Operation::Store(slot, register as Register));
        }
    }

    /// Outputs that are inputs are copied.
    fn copy_inputs(&mut self, selection: &Selection) {
        for (number, &value) in selection.outputs.iter().enumerate() {
            if value as usize <= selection.inputs {
                let slot = selection.slots[number];
                self.operations.push(Operation::Load(0, value));
                self.operations.push(Operation::Store(slot, 0));
            }
        }
    }
}

/// The table of the same function of operands in another order.
fn permuted(table: u8, order: [usize; 3]) -> u8 {
    let mut permuted = 0;
    for index in 0..8u8 {
        let mut own = 0;
        for (place, &operand) in order.iter().enumerate() {
            own |= (index >> (2 - place) & 1) << (2 - operand);
        }
        permuted |= (table >> own & 1) << index;
    }
    permuted
}

/// Where each value is needed, in order.
struct Uses {
    starts: Vec<u32>,
    places: Vec<u32>,
    /// The next use of each value, as an index to `places`.
    cursors: Vec<u32>,
}

impl Uses {
    fn new(selection: &Selection, values: usize) -> Uses {
        let operands = |instruction: &Instruction| {
            let count = instruction.operator.operands();
            instruction.operands.into_iter().take(count)
        };
        let mut starts = vec![0u32; values + 1];
        for value in selection.instructions.iter().flat_map(operands) {
            starts[value as usize + 1] += 1;
        }
        for value in 0..values {
            starts[value + 1] += starts[value];
        }
        let mut ends = starts.clone();
        let mut places = vec![0; starts[values] as usize];
        for (number, instruction) in selection.instructions.iter().enumerate() {
            for value in operands(instruction) {
                let end = &mut ends[value as usize];
                places[*end as usize] = number as u32;
                *end += 1;
            }
        }
        let cursors = starts.clone();
        Uses {
            starts,
            places,
            cursors,
        }
    }

    /// The instruction that needs a value next.
    fn next(&self, value: u32) -> u32 {
        self.at(value, self.cursors[value as usize])
    }

    /// The instruction that needs a value after the present one.
    fn after(&self, value: u32) -> u32 {
        let now = self.next(value);
        let mut cursor = self.cursors[value as usize];
        while self.at(value, cursor) == now && now != NEVER {
            cursor += 1;
        }
        self.at(value, cursor)
    }

    fn at(&self, value: u32, cursor: u32) -> u32 {
        match cursor < self.starts[value as usize + 1] {
            true => self.places[cursor as usize],
            false => NEVER,
        }
    }

    fn advance(&mut self, value: u32) {
        let cursor = &mut self.cursors[value as usize];
        *cursor = (*cursor + 1).min(self.starts[value as usize + 1]);
    }
}

/// For each value the outputs it is.
struct Links {
    first: Vec<Option<u32>>,
    next: Vec<Option<u32>>,
    /// Where each output is written to.
    slots: Vec<Slot>,
}

impl Links {
    fn new(selection: &Selection, values: usize) -> Links {
        let mut first = vec![None; values];
        let mut next = vec![None; selection.outputs.len()];
        for (number, &value) in selection.outputs.iter().enumerate() {
            next[number] = first[value as usize].replace(number as u32);
        }
        Links {
            first,
            next,
            slots: selection.slots.clone(),
        }
    }
}
