// Convert Mermaid to SVG that the Content-Security-Policy allows: the styles are in site/page.css.
import { renderMermaidSVG } from "beautiful-mermaid";

export const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

let drawn = 0;

export function drawDiagram(source, title) {
  const name = `d${(drawn += 1)}-`;
  return renderMermaidSVG(source)
    .replaceAll(/<style>.*?<\/style>/gs, "")
    .replace(/<svg ([^>]*?) style="[^"]*"/, `<svg $1 role="img" aria-label="${escape(title)}"`)
    .replaceAll(/<text [^>]*>\(no attributes\)<\/text>/g, "")
    // Diagrams of one page share its ids: make them unique.
    .replaceAll(/ id="([^"]+)"/g, ` id="${name}$1"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#${name}$1)`);
}
