/** Pages of domains, of one and of a new one: one file, fetched when one of them is opened. */
export { DomainPage } from './domain/domain.tsx'
export { Domains } from './domains/domains.tsx'
export { NewDomain } from './new-domain/new-domain.tsx'
export { Start } from './start/start.tsx'
