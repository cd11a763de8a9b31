#!/bin/sh
# Prints figures about the tree of a commit, HEAD by default:
#
#   tools/figures.sh [COMMIT]
#
# A review measured the same figures before db/schema was divided into folders (3e5675c).
set -eu

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git archive "${1:-HEAD}" | tar -x -C "$tree"
cd "$tree"

largest() { # the folder below $1 with the most SQL files
	find "$1" -name '*.sql' | sed 's|/[^/]*$||' | sort | uniq -c | sort -rn | head -1 | awk '{print $1 " in " $2}'
}
bodies() { # the lines of each function's body
	find db/schema -name '*.sql' -path '*functions*' -print0 | xargs -0 awk '
		FNR == 1 { n = -1 }
		/^as \$/ || /^begin atomic/ { n = 0; atomic = /^begin/; next }
		/^\$[a-z]*\$;/ || atomic && /^end;/ { if (n >= 0) print n, FILENAME; n = -1 }
		n >= 0 { n++ }' | sort -rn
}

echo "largest folder of SQL functions: $(largest db/schema/functions)"
echo "largest folder of db/schema:     $(largest db/schema)"
echo "longest SQL bodies:              $(bodies | head -3 | sed 's|db/schema/||' | tr '\n' ';')"
echo "SQL bodies over 80 lines:        $(bodies | awk '$1 > 80' | wc -l)"
echo "pgTAP folders with one file:     $(find pgtap -name '*.sql' | sed 's|/[^/]*$||' | sort | uniq -c | awk '{n++} $1 == 1 {one++} END {print one " of " n}')"
echo "methods in go doc of executor:   $(GOWORK=off GOFLAGS=-mod=mod go doc ./executor SqlFunctionExecutor | grep -c '^func (e \*SqlFunctionExecutor)')"
echo "lines with gen. in go doc -all:  $(GOWORK=off GOFLAGS=-mod=mod go doc -all ./executor | grep -c 'gen\.')"
echo "bytes of README:                 $(wc -c < README.md)"
echo "throws_ok of class TK, no text:  $(find pgtap -name '*.sql' -print0 | xargs -0 cat | tr '\n' ' ' | grep -oE "'TK[0-9]{3}', *null *[,)]" | wc -l)"
