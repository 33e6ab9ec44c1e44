/** Lint rules that derive the features from the paths of files, so that no list of names is needed. */

import { dirname, relative, resolve, sep } from "node:path";

const SRC = resolve(import.meta.dirname, "../src");
const MESSAGE = "Features do not import each other: share through components, lib, live or api.";

/** Return the folder of `src/features` that a path lies in, or null. */
function featureOf(path) {
  const [room, feature] = relative(SRC, path).split(sep);
  return room === "features" && feature ? feature : null;
}

const noForeignFeature = {
  meta: { type: "problem" },
  create(context) {
    const own = featureOf(context.filename);
    if (own === null) return {};
    const check = (node) => {
      const name = node.source?.value;
      if (typeof name !== "string") return;
      const path = name.startsWith("@/") ? resolve(SRC, name.slice(2)) : name.startsWith(".") ? resolve(dirname(context.filename), name) : null;
      const feature = path && featureOf(path);
      if (feature && feature !== own) context.report({ node, message: MESSAGE });
    };
    return { ImportDeclaration: check, ImportExpression: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

export default { meta: { name: "features" }, rules: { "no-foreign-feature": noForeignFeature } };
