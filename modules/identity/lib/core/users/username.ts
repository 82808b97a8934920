/** The form in which usernames are compared: unique and found whatever their case. */
export function usernameKey(username: string): string {
  return username.normalize("NFC").toLowerCase();
}
