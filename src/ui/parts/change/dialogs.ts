/** What `asked.ts` fetches. */
export { ModeDialog } from './mode-dialog.tsx'
export { IgnoreDialog } from './ignore-dialog.tsx'
