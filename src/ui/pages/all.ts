/** The pages beyond the first: one file, fetched when one of them is opened. */
export { Changes } from './changes/changes.tsx'
export { DomainPage } from './domain/domain.tsx'
export { Domains } from './domains/domains.tsx'
export { Drift } from './drift/drift.tsx'
export { NewDomain } from './new-domain/new-domain.tsx'
export { Start } from './start/start.tsx'
export { System } from './system/system.tsx'
