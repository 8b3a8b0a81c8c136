/** What of ours stands in front of a record at a door, in words. Pure. */
import { isProtected } from '../../../../model/access/applies.ts'
import type { DomainFields } from '../../../../model/domain/record.ts'
import type { Door, ProxyDesk } from '../desk.ts'
import { protects } from './protection.ts'

/** Two that are alike in words keep out the same people. */
export function lockFinder({
  catalogue,
}: Pick<ProxyDesk, 'catalogue'>): (fields: DomainFields, door: Door) => ReadonlySet<string> {
  const types = new Map(catalogue.map(({ name, type }) => [name, type]))
  const isLock = (name: string): boolean => protects({ type: types.get(name) ?? null })
  return (fields, door) =>
    new Set([
      ...(isProtected(fields) ? ['its sign-in'] : []),
      ...(fields.service_type === 'internal' ? ['its list of private networks'] : []),
      ...(door.redirects ? ['its redirect to https'] : []),
      ...fields.middleware_config.extra_middlewares.filter(isLock).map((name) => `its middleware ${name}`),
    ])
}
