//! Signs records, and tells whether a signature is right, as ggp.org does.
//!
//! What is signed is the record as canonical JSON: keys in order, no blanks, without the
//! signature itself. The signature is RSA's with SHA-1, which proves who hosted a match to the
//! tools of this field; it is no guard against someone who can make SHA-1 collide.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rsa::pkcs1v15::{Signature, SigningKey, VerifyingKey};
use rsa::pkcs8::{self, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use rsa::rand_core::OsRng;
use rsa::signature::{SignatureEncoding, Signer, Verifier};
use rsa::{RsaPrivateKey, RsaPublicKey};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha1::Sha1;
use std::fmt::Write;

/// How long keys are that we make.
const BITS: usize = 2048;
/// What encoded keys and signatures begin with: which way they are encoded.
const ENCODING: &str = "0";
/// What signatures begin with: which canonical form they are of.
const CANONICAL: &str = "A";
/// Where the public key and the signature stand in a record.
const KEY: &str = "matchHostPK";
const SIGNATURE: &str = "matchHostSignature";

/// A key as it stands in a file, in the form of ggp-base.
#[derive(Serialize, Deserialize)]
struct KeyFile {
    #[serde(rename = "PK")]
    public: String,
    #[serde(rename = "SK")]
    private: String,
}

/// A key to sign with.
pub struct Key {
    public: String,
    private: RsaPrivateKey,
}

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum BadKey {
    /// The file is no key file.
    #[error("no key; `ludex key` makes one")]
    NoKey(#[source] serde_json::Error),
    /// The private part cannot be read.
    #[error("`SK` is no private key")]
    Private,
    /// The two parts are not of one key.
    #[error("`PK` is not the public part of `SK`")]
    Public,
    /// It cannot be made.
    #[error(transparent)]
    Rsa(#[from] rsa::Error),
    /// It cannot be encoded.
    #[error(transparent)]
    Encoding(#[from] pkcs8::Error),
}

/// What a record says about who hosted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signed {
    /// By nobody.
    No,
    /// By who has the private part of a public key.
    By(String),
    /// It was changed, or signed by somebody else than it says.
    Wrong,
}

impl Key {
    /// Makes a key.
    pub fn new() -> Result<Key, BadKey> {
        let private = RsaPrivateKey::new(&mut OsRng, BITS)?;
        let public = private.to_public_key().to_public_key_der();
        let public = encoded(public.map_err(pkcs8::Error::from)?.as_bytes());
        Ok(Key { public, private })
    }

    /// Reads the text of a key file.
    pub fn read(text: &[u8]) -> Result<Key, BadKey> {
        let file: KeyFile = serde_json::from_slice(text).map_err(BadKey::NoKey)?;
        let private = decoded(&file.private).and_then(|it| RsaPrivateKey::from_pkcs8_der(&it).ok());
        let private = private.ok_or(BadKey::Private)?;
        match public(&file.public) == Some(private.to_public_key()) {
            true => Ok(Key {
                public: file.public,
                private,
            }),
            false => Err(BadKey::Public),
        }
    }

    /// The text of a key file; it has the private part in it.
    pub fn text(&self) -> Result<String, BadKey> {
        let file = KeyFile {
            public: self.public.clone(),
            private: encoded(self.private.to_pkcs8_der()?.as_bytes()),
        };
        serde_json::to_string(&file).map_err(BadKey::NoKey)
    }

    /// The public part, as it stands in records.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// Signs a record.
    pub fn sign(&self, record: &mut Map<String, Value>) {
        record.insert(KEY.to_string(), self.public.clone().into());
        record.remove(SIGNATURE);
        let text = canonical(&Value::Object(record.clone()));
        let signature = SigningKey::<Sha1>::new(self.private.clone()).sign(text.as_bytes());
        let signature = CANONICAL.to_string() + &encoded(&signature.to_bytes());
        record.insert(SIGNATURE.to_string(), signature.into());
    }
}

/// Who signed a record.
pub fn signed(mut record: Map<String, Value>) -> Signed {
    let key = record.get(KEY).cloned();
    let (key, signature) = match (key, record.remove(SIGNATURE)) {
        (None, None) => return Signed::No,
        (Some(Value::String(key)), Some(Value::String(signature))) => (key, signature),
        _ => return Signed::Wrong,
    };
    let signature = signature.strip_prefix(CANONICAL).and_then(decoded);
    let signature = signature.and_then(|it| Signature::try_from(&it[..]).ok());
    let (Some(public), Some(signature)) = (public(&key), signature) else {
        return Signed::Wrong;
    };
    let text = canonical(&Value::Object(record));
    match VerifyingKey::<Sha1>::new(public).verify(text.as_bytes(), &signature) {
        Ok(()) => Signed::By(key),
        Err(_) => Signed::Wrong,
    }
}

/// The public key that a text is, or the public part of the key file that it is.
pub fn public_key(text: &str) -> Option<String> {
    if public(text).is_some() {
        return Some(text.to_string());
    }
    let file: Value = serde_json::from_str(text).ok()?;
    let key = file["PK"].as_str().filter(|it| public(it).is_some());
    key.map(str::to_string)
}

fn encoded(bytes: &[u8]) -> String {
    ENCODING.to_string() + &BASE64_STANDARD.encode(bytes)
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(text.strip_prefix(ENCODING)?).ok()
}

fn public(text: &str) -> Option<RsaPublicKey> {
    RsaPublicKey::from_public_key_der(&decoded(text)?).ok()
}

/// A value as text that is the same for whoever writes it.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            let entries = entries.into_iter();
            let entries = entries.map(|(key, it)| format!("{}:{}", quoted(key), canonical(it)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Value::String(text) => quoted(text),
        Value::Number(number) => match number.as_f64() {
            Some(decimal) if number.is_f64() => written(decimal),
            // What is too long for Java is a text there.
            _ if number.as_i64().is_none() => quoted(&number.to_string()),
            _ => number.to_string(),
        },
        Value::Bool(_) | Value::Null => value.to_string(),
    }
}

/// A number that is not whole, or was written as if, as Java has it.
fn written(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        return number.to_string();
    }
    let text = format!("{number:E}");
    match text.split_once('E') {
        Some((digits, power)) if !digits.contains('.') => format!("{digits}.0E{power}"),
        _ => text,
    }
}

/// A text in quotes, with the escapes that the library of ggp-base makes.
fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    let mut before = ' ';
    for symbol in text.chars() {
        match symbol {
            '"' | '\\' => result.extend(['\\', symbol]),
            '/' if before == '<' => result.push_str("\\/"),
            '\u{8}' => result.push_str("\\b"),
            '\t' => result.push_str("\\t"),
            '\n' => result.push_str("\\n"),
            '\u{c}' => result.push_str("\\f"),
            '\r' => result.push_str("\\r"),
            '\0'..=' ' if symbol != ' ' => _ = write!(result, "\\u{:04x}", symbol as u32),
            '\u{80}'..'\u{a0}' | '\u{2000}'..'\u{2100}' => {
                _ = write!(result, "\\u{:04x}", symbol as u32);
            }
            _ => result.push(symbol),
        }
        before = symbol;
    }
    result + "\""
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use serde_json::json;

    #[test]
    fn records_are_written_one_way() {
        let record = json!({"b": [1, 2.50, 10.0, null, true], "a": {"</x>": "\n\"\u{7}é\u{2014}"}});
        assert_eq!(
            canonical(&record),
            r#"{"a":{"<\/x>":"\n\"\u0007é\u2014"},"b":[1,2.5,10,null,true]}"#
        );
        assert_eq!(canonical(&json!(1e30)), "1.0E30");
        assert_eq!(written(1.5e-5), "1.5E-5");
    }

    #[test]
    fn a_signature_holds_until_something_is_changed() {
        let text = Key::new().unwrap().text().unwrap();
        let key = Key::read(text.as_bytes()).unwrap();
        assert_eq!(public_key(&text).unwrap(), key.public());
        assert_eq!(public_key(key.public()).unwrap(), key.public());
        let mut record = Map::new();
        record.insert("moves".to_string(), json!([["noop"]]));
        assert_eq!(signed(record.clone()), Signed::No);
        key.sign(&mut record);
        assert_eq!(signed(record.clone()), Signed::By(key.public().to_string()));
        let mut changed = record.clone();
        changed.insert("moves".to_string(), json!([["go"]]));
        assert_eq!(signed(changed), Signed::Wrong);
        let mut stripped = record;
        stripped.remove(KEY);
        assert_eq!(signed(stripped), Signed::Wrong);
    }
}
