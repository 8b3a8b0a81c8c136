/** Pages of what is kept true beside the routes: one file, fetched when one of them is opened. */
export { Certificates } from './certificates/certificates.tsx'
export { Ddns } from './ddns/ddns.tsx'
export { Edges } from './edges/edges.tsx'
export { Ssh } from './ssh/ssh.tsx'
export { Dns } from './dns/dns.tsx'
export { Access } from './access/access.tsx'
export { People } from './people/people.tsx'
