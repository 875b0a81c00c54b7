#!/bin/sh
# With curl alone: asks, and prints the events as they come, up to the last. LOVSVAR_API_KEY is sent where it is set.
#
# sh examples/ask.sh http://127.0.0.1:8080 "Hvor mye kan utleier kreve i depositum?"
set -eu
url=$1 question=$2

# The body is JSON; only quotes and backslashes need care in a line of text.
body=$(printf '%s' "$question" | sed 's/[\\"]/\\&/g; s/.*/{"question": "&"}/')

# -N: print what comes when it comes. A question asked with this Accept header is answered by its run's events.
curl -fsSN "$url/v1/questions" \
    ${LOVSVAR_API_KEY:+-H "Authorization: Bearer $LOVSVAR_API_KEY"} \
    -H 'Content-Type: application/json' -H 'Accept: text/event-stream' \
    --data-binary "$body"
