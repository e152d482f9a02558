//! Operations → bytes of x86-64.

use super::Vectors;
use super::allocate::{Allocation, Operation, Place, Slot};
use super::select::Operator;
use crate::kernel::Regions;
use iced_x86::{Code, Encoder, IcedError, Instruction, MemoryOperand, Register};

/// Codes of the operations of an instruction set.
struct Codes {
    first: Register,
    load: Code,
    store: Code,
    and: Code,
    and_not: Code,
    or: Code,
    xor: Code,
}

const AVX2: Codes = Codes {
    first: Register::YMM0,
    load: Code::VEX_Vmovdqu_ymm_ymmm256,
    store: Code::VEX_Vmovdqu_ymmm256_ymm,
    and: Code::VEX_Vpand_ymm_ymm_ymmm256,
    and_not: Code::VEX_Vpandn_ymm_ymm_ymmm256,
    or: Code::VEX_Vpor_ymm_ymm_ymmm256,
    xor: Code::VEX_Vpxor_ymm_ymm_ymmm256,
};

const AVX512: Codes = Codes {
    first: Register::ZMM0,
    load: Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512,
    store: Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm,
    and: Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64,
    and_not: Code::EVEX_Vpandnq_zmm_k1z_zmm_zmmm512b64,
    or: Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64,
    xor: Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64,
};

const LOOKUP: Code = Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8;

/// Functions in the convention of System V: their bytes and where each starts. Words of memory
/// are `bytes` apart. The arguments are the address of the memory, and the addresses it would
/// have by the two regions: see [`super::Native::run`].
pub(super) fn encode(
    allocation: &Allocation,
    vectors: Vectors,
    bytes: usize,
    regions: &Regions,
) -> Result<(Vec<u8>, Vec<usize>), IcedError> {
    let mut writer = Writer {
        codes: match vectors {
            Vectors::Avx2 => &AVX2,
            Vectors::Avx512 => &AVX512,
        },
        bytes: bytes as i64,
        regions: regions.clone(),
        encoder: Encoder::try_with_capacity(64, 16 * allocation.operations.len())?,
    };
    let mut code = Vec::new();
    let mut starts = Vec::new();
    let mut begun = 0;
    for &end in &allocation.ends {
        starts.push(code.len());
        for &operation in &allocation.operations[begun..end] {
            writer.operation(operation, vectors)?;
        }
        writer.put(&Instruction::with(Code::VEX_Vzeroupper))?;
        writer.put(&Instruction::with(Code::Retnq))?;
        code.append(&mut writer.encoder.take_buffer());
        begun = end;
    }
    Ok((code, starts))
}

struct Writer {
    codes: &'static Codes,
    /// How far words are apart.
    bytes: i64,
    regions: Regions,
    encoder: Encoder,
}

impl Writer {
    fn operation(&mut self, operation: Operation, vectors: Vectors) -> Result<(), IcedError> {
        let codes = self.codes;
        let register = |number: u8| codes.first + u32::from(number);
        let instruction = match operation {
            Operation::Load(to, slot) => {
                Instruction::with2(codes.load, register(to), self.memory(slot))?
            }
            Operation::Store(slot, from) => {
                Instruction::with2(codes.store, self.memory(slot), register(from))?
            }
            Operation::Move(to, from) => {
                Instruction::with2(codes.load, register(to), register(from))?
            }
            Operation::Zero(to) => {
                let to = register(to);
                Instruction::with3(codes.xor, to, to, to)?
            }
            Operation::Ones(to) => {
                let to = register(to);
                match vectors {
                    Vectors::Avx2 => {
                        Instruction::with3(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, to, to, to)?
                    }
                    Vectors::Avx512 => Instruction::with4(LOOKUP, to, to, to, 0xFF)?,
                }
            }
            Operation::Two(operator, to, first, second) => {
                let code = match operator {
                    Operator::And => codes.and,
                    Operator::AndNot => codes.and_not,
                    Operator::Or => codes.or,
                    _ => codes.xor,
                };
                let (to, first) = (register(to), register(first));
                match second {
                    Place::Register(second) => {
                        Instruction::with3(code, to, first, register(second))?
                    }
                    Place::Memory(slot) => Instruction::with3(code, to, first, self.memory(slot))?,
                }
            }
            Operation::Lookup(table, to, second, third) => {
                let (to, second, table) = (register(to), register(second), u32::from(table));
                match third {
                    Place::Register(third) => {
                        Instruction::with4(LOOKUP, to, second, register(third), table)?
                    }
                    Place::Memory(slot) => {
                        Instruction::with4(LOOKUP, to, second, self.memory(slot), table)?
                    }
                }
            }
        };
        self.put(&instruction)
    }

    fn memory(&self, slot: Slot) -> MemoryOperand {
        let number = slot as usize;
        let base = match () {
            () if self.regions.from.contains(&number) => Register::RSI,
            () if self.regions.to.contains(&number) => Register::RDX,
            () => Register::RDI,
        };
        MemoryOperand::with_base_displ(base, i64::from(slot) * self.bytes)
    }

    fn put(&mut self, instruction: &Instruction) -> Result<(), IcedError> {
        self.encoder.encode(instruction, 0)?;
        Ok(())
    }
}
