/**
 * The secret of the sign-in, which what changes something is sent with. Browsers keep it for this scheme, host and port alone, and
 * show it to all tabs of it; the cookie goes to every port of the host. Where nothing can be kept, it lasts as long as the page.
 */
const KEY = 'plumbline.session-secret'

let in_page: string | null = null

/** Asked anew each time: another tab may have signed in since. */
export function sessionSecret(): string | null {
  try {
    return window.localStorage.getItem(KEY) ?? in_page
  } catch {
    return in_page
  }
}

/** Null: it is forgotten. */
export function keepSessionSecret(secret: string | null): void {
  in_page = secret
  try {
    if (secret === null) window.localStorage.removeItem(KEY)
    else window.localStorage.setItem(KEY, secret)
  } catch {
    // Storage is off or full: this page alone has it.
    forgetStored()
  }
}

function forgetStored(): void {
  try {
    window.localStorage.removeItem(KEY)
  } catch {
    // Nothing is kept there.
  }
}
