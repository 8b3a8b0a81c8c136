/** Pages beyond the first that are about no single domain: one file, fetched when one of them is opened. */
export { Changes } from './changes/changes.tsx'
export { Drift } from './drift/drift.tsx'
export { System } from './system/system.tsx'
