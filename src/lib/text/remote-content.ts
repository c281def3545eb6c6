/** Removes everything that a mail client would load: images and other media, styles, frames. */
export async function withoutRemoteContent(html: string): Promise<string> {
  const selector = "img, picture, source, svg, video, audio, track, iframe, object, embed, link, style, script"
  const rewriter = new HTMLRewriter()
    .on(selector, { element: (element) => void element.remove() })
    .on("[style], [background]", {
      element: (element) => void element.removeAttribute("style").removeAttribute("background"),
    })
  return rewriter.transform(new Response(html)).text()
}
