# Converts the output of a command with `--output-format github` to Markdown: annotations as FILE:LINE: TITLE: MESSAGE,
# other lines as they are. Shows the first 100 annotations, because the size of a summary is limited.
BEGIN { limit = 100; print "<pre>" }

/^::(error|warning|notice) / {
    if (++count > limit) next
    sub(/^::[a-z]+ /, "")
    # Properties contain no `:`, because it is escaped.
    end = index($0, "::")
    split("", value)
    number = split(substr($0, 1, end - 1), properties, ",")
    for (i = 1; i <= number; i++) {
        equals = index(properties[i], "=")
        value[substr(properties[i], 1, equals - 1)] = substr(properties[i], equals + 1)
    }
    place = value["file"] == "" ? "" : value["file"] ":" value["line"] ": "
    show(decoded(place value["title"] ": " substr($0, end + 2)))
    next
}

{ show($0) }

END {
    if (count > limit) print "… and " count - limit " more, which the log lists"
    print "</pre>"
}

function decoded(text) {
    gsub(/%0D/, "", text)
    gsub(/%0A/, "\n    ", text)
    gsub(/%3A/, ":", text)
    gsub(/%2C/, ",", text)
    gsub(/%25/, "%", text)
    return text
}

function show(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    print text
}
