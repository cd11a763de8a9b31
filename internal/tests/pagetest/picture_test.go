package pagetest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// shown lists the pictures that the documentation has.
var shown = []string{"desktop-light/overview", "desktop-light/task-map", "phone-dark/inbox", "phone-dark/task-map"}

// keepPicture keeps a picture of the tab in .cache/page for people to look at. With PGTASKER_SHOTS it also writes the pictures
// of the documentation to docs/page.
func keepPicture(t testing.TB, p *tab, l look, name string) {
	t.Helper()
	var picture []byte
	p.run(t, chromedp.CaptureScreenshot(&picture))
	root := filepath.Join("..", "..", "..")
	write(t, filepath.Join(root, ".cache", "page", l.name, name+".png"), picture)
	if os.Getenv("PGTASKER_SHOTS") != "" && slices.Contains(shown, l.name+"/"+name) {
		write(t, filepath.Join(root, "docs", "page", l.name+"-"+name+".png"), small(t, picture))
	}
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, content, 0o600))
}

// small writes a picture with its 256 most frequent colours. Each other colour is replaced by the nearest of these.
func small(t testing.TB, picture []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	bounds := full.Bounds()
	counts := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(full.At(x, y)).(color.RGBA) }
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[at(x, y)]++
		}
	}
	colours := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int { return counts[b] - counts[a] })
	palette := color.Palette{}
	for _, c := range colours[:min(len(colours), 256)] {
		palette = append(palette, c)
	}
	out := image.NewPaletted(bounds, palette)
	nearest := map[color.RGBA]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := at(x, y)
			index, known := nearest[c]
			if !known {
				index = uint8(palette.Index(c)) // The palette has 256 colours.
				nearest[c] = index
			}
			out.SetColorIndex(x, y, index)
		}
	}
	var text bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	require.NoError(t, encoder.Encode(&text, out))
	return text.Bytes()
}
