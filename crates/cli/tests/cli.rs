//! The commands as a person types them: `cmd/*.trycmd` holds what they print.

#[test]
fn commands_print_what_they_should() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
