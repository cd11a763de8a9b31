package migrate

// The functions of this package with migrations of the caller's choice.
var (
	UpFrom     = up
	DownFrom   = down
	StatusFrom = status
)

// Parts returns the two parts of a migration, as this package reads them.
func Parts(name, text string) (up, down string, err error) {
	f, err := parseFile(name, text)
	return f.up, f.down, err
}
