#!/bin/sh
# Checks the npm package in a release, and prints the command that publishes it. It publishes nothing itself.
# Usage: npm/publish.sh [FOLDER], the folder that `cargo xtask release` has made; target/artifacts unless told otherwise.
set -eu
release=$(cd "${1:-$(dirname "$0")/../target/artifacts}" && pwd)
cd "$(dirname "$0")/.."

refuse() {
  echo "not to be published: $1" >&2
  exit 1
}

package=$(find "$release" -name 'tender-checkout-*.tgz')
version=${package##*/tender-checkout-}
version=${version%.tgz}

address='JSON.parse(require("fs").readFileSync(0)).repository.url'
repository=$(tar -xzOf "$package" package/package.json | node -p "$address")
case $repository in
  *.invalid/*) refuse "set \`repository\` in Cargo.toml to the public address; now it is the placeholder $repository" ;;
esac
[ -z "$(git status --porcelain)" ] || refuse "files differ from the commit"
git tag --points-at HEAD | grep -qx "v$version" || refuse "the commit has no tag v$version"
grep -q "^## \[$version\]" CHANGELOG.md || refuse "CHANGELOG.md has no section for $version"
(cd "$release" && sha256sum --check --strict --quiet SHA256SUMS) || refuse "a file is not that of SHA256SUMS"
packed=$(cargo xtask npm | sed -n 's/^The package is //p')
cmp "$packed" "$package" || refuse "this commit packs another package"
npm publish --dry-run "$package"

cat <<END

The package is ready, and not published. This publishes it, with a provenance statement:

    npm publish $package

It works only in a job of GitHub Actions or GitLab CI/CD that may ask for an identity token, of $repository.
END
