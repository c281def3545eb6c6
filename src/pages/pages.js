// Buttons that copy a link. Without scripts they stay hidden, and the page works without them.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.parentElement.querySelector("[role=status]").textContent = button.dataset.copied
  })
}
