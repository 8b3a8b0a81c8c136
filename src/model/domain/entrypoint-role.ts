/** What an entry point of somebody else's proxy is likely to be for, by how people call theirs and by its port. */

/**
 * Null where neither says so. The name goes before the port, since a container's own port is another than the public one;
 * what is called otherwise and stands on another port may be for anything, such as a network of its own.
 */
export function guessedRole(name: string, port: number | null): 'http' | 'https' | null {
  const called = NAMES[name.toLowerCase().replaceAll(/[-_]/g, '')]
  return called ?? (port === 80 ? 'http' : port === 443 ? 'https' : null)
}

const NAMES: Readonly<Record<string, 'http' | 'https' | undefined>> = {
  web: 'http',
  http: 'http',
  websecure: 'https',
  https: 'https',
}
