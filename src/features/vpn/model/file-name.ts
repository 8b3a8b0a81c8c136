/** What a tunnel is called on a device: its file's name is the interface's, and that has at most 15 characters. */
const MAX_LENGTH = 15

/** `uk-phone.conf`: what `wg-quick` takes (`[a-zA-Z0-9_=+.-]{1,15}`), never empty. */
export function fileNameOf(site_id: string, peer_name: string): string {
  const plain = peer_name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_=+.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  const cut = `${site_id}-${plain}`.slice(0, MAX_LENGTH).replace(/[-.]+$/, '')
  return `${cut}.conf`
}
