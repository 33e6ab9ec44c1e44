declare const LLMBENCH_VERSION: string;

/** The version in pyproject.toml, inserted by the build. */
export const VERSION = LLMBENCH_VERSION;
