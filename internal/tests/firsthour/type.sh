# type.sh: typed FILE types the lines of FILE, and shows them with what they print. Lines that begin with "$ " show what is typed. Times,
# identifiers, minor versions of PostgreSQL and numbers of workers are not shown.
typed() {
  local typed= line
  while IFS= read -r line <&9; do
    case $line in
      "#"*) [ -z "$typed" ] && { echo "$line"; continue; } ;;
    esac
    typed+="$line"$'\n'
    # A here-document ends with a line of its own.
    if [[ $typed == *"<<'EOF'"* && $line != EOF ]]; then continue; fi
    printf '%s' "$typed" | sed '1s/^/$ /'
    eval "$typed" >/tmp/shown 2>&1 || { cat /tmp/shown && exit 1; }
    sed -E 's/[0-9]+\.[0-9]+ ?m?s\b/… s/g; s/demo#[0-9]+/demo/g; s/(PostgreSQL [0-9]+)\.[0-9]+/\1/; s/line [0-9]+: +[0-9]+ Killed +/line …: Killed /; s/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+/…/g' /tmp/shown
    typed=
  done 9<"$1"
}
