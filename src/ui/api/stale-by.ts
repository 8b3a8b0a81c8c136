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
  ['operation', ['/api/overview', '/api/operations']],
  ['step', ['/api/operations', '/api/overview']],
  ['certificate', ['/api/overview', '/api/certificates', '/api/acme', '/api/domains']],
  ['dns', [...STATE, '/api/dns']],
  ['edge', [...STATE, '/api/ccm/edge']],
  ['edge_online', [...STATE, '/api/ccm/edge']],
  ['edge_offline', [...STATE, '/api/ccm/edge']],
  ['session', ['/api/sessions', '/api/session', '/api/audit']],
  ['hello', []],
])

export const staleBy = (kind: string): readonly string[] => BY_KIND.get(kind) ?? STATE
