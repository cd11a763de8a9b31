package migrate

// The functions of this package with migrations of the caller's choice.
var (
	UpFrom     = up
	DownFrom   = down
	StatusFrom = status
)
