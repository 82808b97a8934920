/**
 * Runs the server given as arguments and stops it when standard input ends, that is when the app is gone, even by
 * `kill -9`. Fast shutdown first (no wait for clients, a checkpoint is written), immediate after 30 seconds.
 * It ends with the server's own status. What else it inherits goes to the server, and not to what waits for the end,
 * which may outlive it: file 4 may be a lock.
 */
export const untilInputEnds = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(
  cat <&3 >/dev/null 2>&1
  kill -INT $server 2>/dev/null
  sleep 30
  kill -QUIT $server 2>/dev/null
) 4>&- &
watcher=$!
exec 3<&- 0</dev/null
wait $server
status=$?
kill $watcher 2>/dev/null
exit $status
`;

/**
 * Runs the server given after the first argument, a folder, until nobody has touched the file \`alive\` in that folder
 * for five minutes; then stops the server and removes the folder.
 */
export const untilIdle = `
folder=$1
shift
"$@" </dev/null &
server=$!
while kill -0 $server 2>/dev/null; do
  sleep 5
  if [ -z "$(find "$folder/alive" -mmin -5 2>/dev/null)" ]; then
    kill -INT $server 2>/dev/null
    break
  fi
done
wait $server
rm -rf "$folder"
`;
