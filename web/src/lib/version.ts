declare const LLMBENCH_VERSION: string;

/** The number in pyproject.toml, which the build puts here. */
export const VERSION = LLMBENCH_VERSION;
