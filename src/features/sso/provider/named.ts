/** Whether somebody said where the SSO provider is: the address by default is a guess, and nobody there is no fault of theirs. */
import type { LoadedConfig } from '../../../config/load.ts'

const NAMES = ['PLUMBLINE_SSO_URL', 'PLUMBLINE_SSO_HEALTH_URL']

export const namesProvider = ({ sources }: Pick<LoadedConfig, 'sources'>): boolean =>
  NAMES.some((name) => sources[name] !== 'default')
