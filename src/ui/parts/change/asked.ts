/** Dialogs that ask for a reason and an end: one file, fetched when one of them is opened first. */
import type { IgnoreProps } from './ignore-dialog.tsx'
import { laterDialog } from '../later.tsx'
import type { ModeProps } from './mode-dialog.tsx'

export const ModeDialog = laterDialog<ModeProps>(async () => (await dialogs()).ModeDialog)
export const IgnoreDialog = laterDialog<IgnoreProps>(async () => (await dialogs()).IgnoreDialog)

const dialogs = () => import('./dialogs.ts')
