/** The form in which usernames are compared, so that they are unique and found in any case. */
export function usernameKey(username: string): string {
  return username.normalize("NFC").toLowerCase();
}
