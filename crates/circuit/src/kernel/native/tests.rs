//! Machine code is decoded and followed instruction by instruction, so that code for any
//! vectors is tested on any processor.

use super::{Native, Vectors, compile};
use crate::kernel::Regions;
use crate::kernel::plan::{GatePlan, Update};
use crate::kernel::portable::Portable;
use crate::net::{Net, Wire};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Registers and memory.
struct Machine<const P: usize> {
    registers: [[u64; P]; 32],
    memory: Vec<[u64; P]>,
}

impl<const P: usize> Machine<P> {
    fn run(&mut self, code: &[u8]) {
        for instruction in &mut Decoder::new(64, code, DecoderOptions::NONE) {
            match instruction.mnemonic() {
                Mnemonic::Ret => return,
                Mnemonic::Vzeroupper => {}
                _ => self.follow(&instruction),
            }
        }
        panic!("the code has no end");
    }

    fn follow(&mut self, instruction: &Instruction) {
        let count = instruction.op_count();
        let operand = |place| match place < count {
            true => self.read(instruction, place),
            false => [0; P],
        };
        let [a, b, c] = [0, 1, 2].map(operand);
        let each = |f: &dyn Fn(usize) -> u64| std::array::from_fn(f);
        let result: [u64; P] = match instruction.mnemonic() {
            Mnemonic::Vmovdqu | Mnemonic::Vmovdqu64 => b,
            Mnemonic::Vpand | Mnemonic::Vpandq => each(&|part| b[part] & c[part]),
            Mnemonic::Vpandn | Mnemonic::Vpandnq => each(&|part| !b[part] & c[part]),
            Mnemonic::Vpor | Mnemonic::Vporq => each(&|part| b[part] | c[part]),
            Mnemonic::Vpxor | Mnemonic::Vpxorq => each(&|part| b[part] ^ c[part]),
            Mnemonic::Vpcmpeqd => {
                assert_eq!(b, c, "used to make ones only");
                [u64::MAX; P]
            }
            Mnemonic::Vpternlogq => {
                let table = instruction.immediate8();
                each(&|part| lookup(table, a[part], b[part], c[part]))
            }
            other => panic!("no instruction of ours: {other:?}"),
        };
        match instruction.op0_kind() {
            OpKind::Register => self.registers[number(instruction.op0_register())] = result,
            _ => {
                let slot = slot::<P>(instruction);
                self.memory[slot] = result;
            }
        }
    }

    fn read(&self, instruction: &Instruction, place: u32) -> [u64; P] {
        match instruction.op_kind(place) {
            OpKind::Register => self.registers[number(instruction.op_register(place))],
            OpKind::Memory => self.memory[slot::<P>(instruction)],
            _ => [0; P],
        }
    }
}

fn number(register: Register) -> usize {
    assert!(register.is_ymm() || register.is_zmm());
    register.number()
}

fn slot<const P: usize>(instruction: &Instruction) -> usize {
    assert_eq!(instruction.memory_base(), Register::RDI);
    let offset = instruction.memory_displacement64() as usize;
    assert_eq!(offset % (8 * P), 0);
    offset / (8 * P)
}

fn lookup(table: u8, a: u64, b: u64, c: u64) -> u64 {
    (0..64).fold(0, |result, bit| {
        let index = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
        result | u64::from(table >> index & 1) << bit
    })
}

/// A net of random gates, with outputs of all kinds. Three more inputs are updated in place.
fn random_plan(random: &mut Xoshiro256PlusPlus, inputs: usize, gates: usize) -> GatePlan {
    let mut net = Net::default();
    let mut wires: Vec<Wire> = (0..inputs).map(|input| net.input(input)).collect();
    for _ in 0..gates {
        let mut pick = || {
            let wire = wires[random.next_u64() as usize % wires.len()];
            wire.negated_if(random.next_u64() & 1 == 1)
        };
        let (a, b) = (pick(), pick());
        let wire = if random.next_u64().is_multiple_of(4) {
            net.xor(a, b)
        } else {
            net.and(a, b)
        };
        wires.push(wire);
    }
    let mut outputs: Vec<Wire> = vec![Wire::TRUE, Wire::FALSE, wires[0], wires[1].negated()];
    let pick = |_| {
        let wire = wires[random.next_u64() as usize % wires.len()];
        wire.negated_if(random.next_u64() & 1 == 1)
    };
    outputs.extend((0..1 + gates / 8).map(pick));
    let last = wires[wires.len() - 1].negated();
    let [first, second] = [0, 1].map(|number| net.input(inputs + number));
    let updated = [net.or(first, last), net.xor(second, wires[0]), Wire::TRUE];
    let updates = updated.into_iter().zip(inputs..);
    let updates: Vec<Update> = updates
        .map(|(wire, input)| Update {
            input,
            wire,
            after: last,
        })
        .collect();
    GatePlan::updating(&net, inputs + 3, &outputs, &updates)
}

fn follows_the_gates<const P: usize>(vectors: Vectors, seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (inputs, gates) = (2 + seed as usize % 90, seed as usize * 7 % 900);
    let plan = random_plan(&mut random, inputs, gates);
    let portable = Portable::new(&plan);
    let compiled =
        compile(&plan, vectors, P, &Regions::default()).expect("a small plan can be compiled");
    let mut memory = vec![[0; P]; compiled.slots.max(portable.slots())];
    for word in &mut memory[1..=plan.inputs] {
        *word = std::array::from_fn(|_| random.next_u64());
    }
    let mut machine = Machine {
        registers: [[0xDEAD; P]; 32],
        memory: memory.clone(),
    };
    let mut real = memory.clone();
    portable.run(&mut memory);
    for &start in &compiled.starts {
        machine.run(&compiled.code[start..]);
    }
    let outputs = 1 + inputs..plan.first_scratch();
    assert_eq!(
        machine.memory[outputs.clone()],
        memory[outputs.clone()],
        "seed {seed}"
    );
    assert_eq!(machine.memory[..=inputs], memory[..=inputs], "inputs stay");
    if vectors.are_here() {
        Native::new(&plan, vectors, P, &Regions::default())
            .expect("memory to execute")
            .run(&mut real, false);
        assert_eq!(real[outputs.clone()], memory[outputs], "seed {seed}");
    }
}

#[test]
fn code_for_avx2_computes_what_the_gates_do() {
    (0..300).for_each(|seed| follows_the_gates::<4>(Vectors::Avx2, seed));
}

#[test]
fn code_for_avx512_computes_what_the_gates_do() {
    (0..300).for_each(|seed| follows_the_gates::<8>(Vectors::Avx512, seed));
}

#[test]
fn merging_saves_instructions() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let plan = random_plan(&mut random, 50, 1000);
    let two = super::Selection::of_two(&plan).instructions.len();
    let three = super::Selection::of_three(&plan).instructions.len();
    assert!(
        three < two * 9 / 10,
        "{three} instructions of three inputs, {two} of two"
    );
}
