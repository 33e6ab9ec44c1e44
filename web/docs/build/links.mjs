// Convert the links of a page into links of the site, and collect the files that they need.
import { posix } from "node:path";
import { kindOf, outputOf, urlOf } from "./repository.mjs";

const IMAGE = /\.(?:webp|png|svg)$/;

export class Links {
  /** Paths that some page links to. Images are copied, everything else becomes a page. */
  wanted = new Set();
  images = new Set();
  broken = [];

  /** Return the address on the site, or null for a missing path. */
  resolve(page, href) {
    if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
    const [path, anchor] = href.split("#");
    const target = posix.normalize(posix.join(posix.dirname(page), decodeURI(path))).replace(/\/$/, "");
    const kind = kindOf(target);
    if (kind === undefined) {
      this.broken.push(`${page}: ${href}`);
      return null;
    }
    if (IMAGE.test(target)) {
      this.images.add(target);
      return `/docs/files/${target}`;
    }
    const index = kind === "folder" && kindOf(`${target}/README.md`) === "file" ? `${target}/README.md` : target;
    this.wanted.add(index);
    return urlOf(index) + (anchor === undefined ? "" : `#${anchor}`);
  }

  /** Return groups of paths that share one address. */
  static collisions(paths) {
    const seen = new Map();
    for (const path of paths) seen.set(outputOf(path), [...(seen.get(outputOf(path)) ?? []), path]);
    return [...seen.values()].filter((sharing) => sharing.length > 1);
  }
}
