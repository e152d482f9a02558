//! The commands as a person types them: `cmd/*.trycmd` holds what they print, and `cmd/play`
//! what is said to them too, `cmd/complete` what a shell is answered.

#[test]
fn commands_print_what_they_should() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/play/*.toml")
        .case("tests/cmd/complete/*.toml");
}
