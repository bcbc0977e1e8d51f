package lint

// inspectBytes looks at what the body is made of, before anyone looks at what its
// lines say. It is first to speak about a line, so that a line which is none for
// its bytes is not blamed for its words as well.
func inspectBytes(d *document) {
	d.inspectEncoding()
	if d.foreign {
		return
	}
	d.inspectSize()
	d.inspectLineBytes()
	d.inspectKeys()
}
