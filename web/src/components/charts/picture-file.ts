/** A chart as a file: its SVG with the colours that the page computed, and that as PNG. */

/** The style properties that an SVG file needs, since it has no style sheet of the page. */
const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "font-weight", "text-anchor"] as const;
const SVG = "http://www.w3.org/2000/svg";

/** Return the chart as an SVG document that looks the same elsewhere. Links become groups, and the page's colour its background. */
export function standalone(svg: SVGSVGElement): string {
  const { width, height } = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg.querySelectorAll<SVGElement>("*"), copy.querySelectorAll<SVGElement>("*")];
  for (const [index, element] of from.entries()) {
    const style = getComputedStyle(element);
    for (const name of KEPT) to[index]?.setAttribute(name, style.getPropertyValue(name));
    to[index]?.removeAttribute("class");
  }
  for (const link of copy.querySelectorAll("a")) {
    const group = document.createElementNS(SVG, "g");
    group.append(...link.childNodes);
    link.replaceWith(group);
  }
  const back = document.createElementNS(SVG, "rect");
  back.setAttribute("width", "100%");
  back.setAttribute("height", "100%");
  back.setAttribute("fill", getComputedStyle(document.body).getPropertyValue("--surface") || "#ffffff");
  copy.prepend(back);
  copy.removeAttribute("class");
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("width", String(Math.round(width)));
  copy.setAttribute("height", String(Math.round(height)));
  return new XMLSerializer().serializeToString(copy);
}

/** Draw an SVG document as PNG at twice its size. Rejects if the browser cannot draw it. */
export async function toPng(source: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * 2), Math.round(height * 2)];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("This browser cannot draw the chart."))), "image/png"));
}

/** Save a file by the browser's own download. */
export function save(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  [link.href, link.download] = [url, name];
  link.click();
  // The download has its own hold on the file once the click was handled.
  setTimeout(() => URL.revokeObjectURL(url));
}
