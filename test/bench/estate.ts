/** An estate of any size with the usual mixture of service types. */
import type { EstateEntry } from '../../src/features/import/apply.ts'

const TYPES = [
  'http',
  'http',
  'http',
  'api',
  'spa',
  'websocket',
  'static',
  'proxy',
  'internal',
  'http',
] as const

export const estateOf = (size: number): readonly EstateEntry[] =>
  Array.from({ length: size }, (_, index) => ({
    status: 'active' as const,
    fields: {
      domain: `app-${String(index).padStart(6, '0')}.example.com`,
      service_type: TYPES[index % TYPES.length]!,
      environment: index % 4 === 0 ? 'development' : 'production',
      backend_host: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255 || 1}`,
      backend_port: 8000 + (index % 1000),
      auth_required: index % 3 !== 0,
      health_check_path: index % 5 === 0 ? '/healthz' : null,
      cors_enabled: index % 7 === 0,
      cors_origin: index % 7 === 0 ? 'https://app.example.com' : null,
      default_path: index % 11 === 0 ? '/app' : null,
    },
  }))
