import type { UploadReport } from '../../../records.ts';

/** What `checkFile` needs to know; can be cloned to another thread. */
export interface CheckOptions {
  /** The uploaded file. */
  readonly path: string;
  /** Where the issues go, one CatalogIssue as JSON a line: the first 10,000 found. */
  readonly issuesPath: string;
  /** Where the lines without an issue go, so that they can be saved; null when nothing is to be saved. */
  readonly goodPath: string | null;
  /** The index of the saved products (`products.indexPath()`), null when nothing is saved yet. */
  readonly savedIndexPath: string | null;
}

/** An UploadReport that knows the number of issues of every kind found. Kinds without an issue are absent. */
export interface CheckReport extends UploadReport {
  readonly counts: { readonly [errorType: string]: number };
}
