/* Browsers refuse workers to pages that are opened as files. There a worker is a hidden frame of the page: its script
 * runs in the frame, and messages go between the two as they do with a worker. */
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    onmessage = null
    onerror = null
    onmessageerror = null
    #waiting = []
    #frame = document.createElement("iframe")

    constructor(url) {
      super()
      for (const kind of ["message", "error", "messageerror"])
        this.addEventListener(kind, event => this["on" + kind]?.(event))
      this.#frame.hidden = true
      document.body.append(this.#frame)
      const inner = this.#frame.contentWindow, script = inner.document.createElement("script")
      inner.postMessage = data => this.#soon(() => this.dispatchEvent(new MessageEvent("message", { data })))
      script.onload = () => { const kept = this.#waiting; this.#waiting = null; kept.forEach(data => this.#give(data)) }
      script.onerror = () => this.dispatchEvent(new Event("error", { cancelable: true }))
      script.src = new URL(url, location.href)
      inner.document.body.append(script)
    }

    postMessage(data) { this.#waiting ? this.#waiting.push(data) : this.#give(data) }

    terminate() { this.#frame.remove() }

    #give(data) {
      const inner = this.#frame.contentWindow
      this.#soon(() => inner?.dispatchEvent(new inner.MessageEvent("message", { data })))
    }

    #soon(run) { setTimeout(run, 0) }
  }
