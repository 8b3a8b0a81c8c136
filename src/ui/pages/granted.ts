/** Pages of machines that are let in by a token: one file, fetched when one of them is opened. */
export { Ddns } from './ddns/ddns.tsx'
export { Edges } from './edges/edges.tsx'
