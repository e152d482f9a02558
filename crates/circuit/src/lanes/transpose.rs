//! States to lanes: rows of fluents become columns.

/// Transposes a square of bits: bit `i` of row `j` becomes bit `j` of row `i`.
pub(crate) fn transpose(square: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_FFFF_FFFF_u64;
    while width > 0 {
        for row in (0..64).filter(|row| row & width == 0) {
            let change = ((square[row] >> width) ^ square[row + width]) & mask;
            square[row] ^= change << width;
            square[row + width] ^= change;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::transpose;

    #[test]
    fn rows_become_columns() {
        let mut square =
            std::array::from_fn(|row| (row as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let before = square;
        transpose(&mut square);
        for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
            assert_eq!(before[row] >> column & 1, square[column] >> row & 1);
        }
    }
}
