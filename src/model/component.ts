/** The components that an installation can be set up with, in the order in which a deploy opens. */
export const COMPONENTS = ['dns', 'certificates', 'people', 'ssh-gateway', 'sso', 'routes'] as const
