/** Which answers an event makes old, by the beginning of their address. */

const STATE = [
  '/api/overview',
  '/api/control-plane/health',
  '/api/domains',
  '/api/drift',
  '/api/conditions',
  '/api/notifications',
]
const INTENT = [...STATE, '/api/plans', '/api/audit', '/api/releases', '/api/deploy']

const BY_KIND = new Map<string, readonly string[]>([
  ['saved', INTENT],
  ['release', INTENT],
  ['repaired', [...STATE, '/api/audit']],
  ['mode', [...STATE, '/api/modes', '/api/audit']],
  ['ignored', [...STATE, '/api/audit']],
  ['operation', ['/api/overview', '/api/operations']],
  ['step', ['/api/operations', '/api/overview']],
  ['certificate', ['/api/overview', '/api/certificates', '/api/acme', '/api/domains']],
  ['dns', [...STATE, '/api/dns']],
  ['address', [...STATE, '/api/ddns']],
  ['flapping', [...STATE, '/api/ddns']],
  ['wrong_keys', [...STATE, '/api/ddns']],
  // A site token, a key of the API, or the token of an edge.
  ['token', [...STATE, '/api/ddns', '/api/ccm/edge']],
  ['rotation_due', [...STATE, '/api/ddns']],
  ['ssh_client', [...STATE, '/api/ssh-clients']],
  ['edge', [...STATE, '/api/ccm/edge']],
  ['edge_online', [...STATE, '/api/ccm/edge']],
  ['edge_offline', [...STATE, '/api/ccm/edge']],
  ['session', ['/api/sessions', '/api/session', '/api/audit']],
  ['hello', []],
])

export const staleBy = (kind: string): readonly string[] => BY_KIND.get(kind) ?? STATE
