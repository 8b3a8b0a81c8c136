/** Where a browser signs in: the code stands behind `#`, which browsers send to nobody and no log has. */
export function consoleLink(base: string, code: string): string {
  const address = new URL(base)
  // What is listened on everywhere is called by one address.
  if (address.hostname === '0.0.0.0' || address.hostname === '[::]') address.hostname = '127.0.0.1'
  return `${address.origin}/#k=${code}`
}
