/** Pages of what is kept true beside the routes: one file, fetched when one of them is opened. */
export { Certificates } from './certificates/certificates.tsx'
export { Dns } from './dns/dns.tsx'
