/**
 * Runs the server given as arguments and stops it when standard input ends, which means that the app is gone, even after `kill -9`. It
 * requests a fast shutdown (no wait for clients, a checkpoint is written), and an immediate one after 30 seconds. It exits with the
 * server's status. Other inherited files, such as a lock in file 4, go to the server and not to the process that waits for the end of
 * input, which may outlive it.
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
 * Runs the server given after the first argument, a folder, until the file \`alive\` in that folder was not touched for five minutes. Then
 * stops the server and removes the folder.
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
