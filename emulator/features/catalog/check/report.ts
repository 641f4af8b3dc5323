import type { UploadReport } from '../../../records.ts';

/** The options of `checkFile`; can be cloned to another thread. */
export interface CheckOptions {
  /** The uploaded file. */
  readonly path: string;
  /** Where the issues are written, one CatalogIssue as JSON per line: the first 10,000. */
  readonly issuesPath: string;
  /** Where the lines without an issue are written, so that they can be saved; null if nothing is to be saved. */
  readonly goodPath: string | null;
  /** The folder of the saved products (`products.savedDir()`), null if nothing is saved yet. */
  readonly savedDir: string | null;
}

/** An UploadReport with the number of issues of each kind. Kinds without an issue are absent. */
export interface CheckReport extends UploadReport {
  readonly counts: { readonly [errorType: string]: number };
}

/** The progress of a check. */
export interface CheckProgress {
  readonly bytes: number;
  readonly lines: number;
  /** Issues so far. */
  readonly errors: number;
}
