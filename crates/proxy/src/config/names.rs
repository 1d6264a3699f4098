//! Environment variables with the proxy's prefix that are no settings, mostly because they are misspelt.

use super::declaration::{PREFIX, flags, variable};

/// Names that are not settings but are read: `config` names the file, and the commands for the merchant read `proxy`.
const OTHERS: [&str; 2] = ["config", "proxy"];

/// How alike a name must be to be suggested, from 0 to 1.
const ALIKE: f64 = 0.8;

/// A warning for each environment variable that looks like a setting and is none. Each text is a sentence without its full stop.
pub(super) fn unknown_variables(
    variables: impl IntoIterator<Item = (String, String)>,
) -> Vec<String> {
    let settings = flags();
    let known: Vec<_> = settings
        .iter()
        .map(|setting| setting.get_id().as_str())
        .chain(OTHERS)
        .collect();
    let mut warnings = Vec::new();
    for (variable, value) in variables {
        let upper = variable.to_uppercase();
        let Some(name) = upper.strip_prefix(PREFIX).map(str::to_lowercase) else {
            continue;
        };
        let is_read = known.contains(&&*name) && upper == variable;
        if is_read || is_of_kubernetes(&variable, &value) {
            continue;
        }
        let advice = match nearest(&name) {
            Some(near) => format!("write `{}` if you mean that setting", self::variable(&near)),
            None => "`--help` lists all settings".to_owned(),
        };
        warnings.push(format!(
            "nothing reads the environment variable `{variable}`; {advice}"
        ));
    }
    warnings.sort();
    warnings
}

/// The setting whose name is most like this one, if one is.
pub(super) fn nearest(name: &str) -> Option<String> {
    let settings = flags();
    let likeness = settings.iter().map(|setting| {
        let known = setting.get_id().as_str();
        (strsim::jaro(name, known), known)
    });
    let nearest = likeness.max_by(|one, other| one.0.total_cmp(&other.0));
    let nearest = nearest.filter(|(likeness, _)| *likeness >= ALIKE);
    nearest.map(|(_, known)| known.to_owned())
}

/// Whether Kubernetes sets this variable in each container, for a service whose name begins with `tender`
/// ("Environment variables" in its documentation of services).
fn is_of_kubernetes(name: &str, value: &str) -> bool {
    name.contains("_PORT_")
        || name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || (name.ends_with("_PORT") && value.contains("://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(names: &[(&str, &str)]) -> Vec<String> {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        unknown_variables(names.iter().map(owned))
    }

    #[test]
    fn misspelt_variables_are_named_with_the_nearest_name() {
        for (name, near) in [
            ("TENDER_STATUS_PAYED", "TENDER_STATUS_PAID"),
            ("TENDER_ALLOWED_ORIGIN", "TENDER_ALLOW_ORIGIN"),
            ("TENDER_ALLOW_ORIGINS", "TENDER_ALLOW_ORIGIN"),
            ("TENDER_NOTIFYURL", "TENDER_NOTIFY_URL"),
            ("TENDER_NOTIFY_SECRETS_FILE", "TENDER_NOTIFY_SECRET_FILE"),
            ("TENDER_ORDER_KEYS", "TENDER_ORDER_KEY"),
            ("TENDER_DATABASE", "TENDER_DATABASE_URL"),
            ("TENDER_BASEURL", "TENDER_BASE_URL"),
            ("tender_base_url", "TENDER_BASE_URL"),
        ] {
            let expected = format!(
                "nothing reads the environment variable `{name}`; write `{near}` if you mean that setting"
            );
            assert_eq!(warnings(&[(name, "a value")]), [expected]);
        }
        let other = warnings(&[("TENDER_X", "")]);
        assert_eq!(
            other,
            ["nothing reads the environment variable `TENDER_X`; `--help` lists all settings"]
        );
    }

    #[test]
    fn settings_and_variables_of_others_are_not_named() {
        for (name, value) in [
            ("PATH", "/bin"),
            ("TENDERLOIN", "1"),
            ("TENDER_CONFIG", "proxy.toml"),
            ("TENDER_PROXY", "http://127.0.0.1:8081"),
            ("TENDER_MERCHANT_KEY_FILE", "/etc/tender/merchant-keys"),
            // Kubernetes, for services named `tender` and `tender-proxy`.
            ("TENDER_SERVICE_HOST", "10.0.0.11"),
            ("TENDER_SERVICE_PORT", "8081"),
            ("TENDER_SERVICE_PORT_HTTP", "8081"),
            ("TENDER_PORT", "tcp://10.0.0.11:8081"),
            ("TENDER_PORT_8081_TCP", "tcp://10.0.0.11:8081"),
            ("TENDER_PORT_8081_TCP_PROTO", "tcp"),
            ("TENDER_PORT_8081_TCP_PORT", "8081"),
            ("TENDER_PORT_8081_TCP_ADDR", "10.0.0.11"),
            ("TENDER_PROXY_PORT", "tcp://10.0.0.11:8081"),
            ("TENDER_PROXY_PORT_8081_TCP_ADDR", "10.0.0.11"),
        ] {
            assert_eq!(warnings(&[(name, value)]), [""; 0], "{name}");
        }
        // A person's, not of Kubernetes.
        assert_eq!(warnings(&[("TENDER_PORT", "8081")]).len(), 1);
    }
}
