/** Pages of a new domain and of the first: one file, fetched when one of them is opened. The table, and one domain, are files of their own. */
export { NewDomain } from './new-domain/new-domain.tsx'
export { Start } from './start/start.tsx'
