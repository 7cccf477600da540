"""A headless chromium that a test can steer: pages, events of the mouse and the keyboard, what was requested,
errors of scripts, and the pages on paper.  Talks to it over two pipes, so that nothing but Python is needed."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import zlib


class Browser:
    def __init__(self, program):
        to_child, from_parent = os.pipe()
        to_parent, from_child = os.pipe()
        self.folder = tempfile.mkdtemp()

        def connect():  # chromium reads from 3 and writes to 4
            inner, outer = os.dup(to_child), os.dup(from_child)
            os.dup2(inner, 3)
            os.dup2(outer, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--disable-background-networking", "--disable-component-update", "--no-first-run",
             "--remote-debugging-pipe", "--window-size=1000,800", f"--user-data-dir={self.folder}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=connect, close_fds=False)
        os.close(to_child)
        os.close(from_child)
        self.to, self.source, self.rest = os.fdopen(from_parent, "wb", 0), to_parent, b""
        self.last, self.session, self.events = 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.source, 1 << 20)
            if not part:
                raise EOFError("the browser ended")
            self.rest += part
        first, self.rest = self.rest.split(b"\0", 1)
        return json.loads(first)

    def call(self, method, **values):
        self.last += 1
        request = {"id": self.last, "method": method, "params": values}
        if self.session:
            request["sessionId"] = self.session
        self.to.write(json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width=1000, dark=False):
        """Shows a file, as a screen of so many pixels."""
        self.events = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def place(self, selector, x=.5, y=.5):
        """A point of an element on the screen, scrolled into view."""
        return self.value(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center", behavior: "instant"}}); const r = e.getBoundingClientRect();
            return [r.left + r.width * {x}, r.top + r.height * {y}]; }})()""")

    def move(self, selector, x=.5, y=.5):
        at = self.place(selector, x, y)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1])

    def click(self, selector, x=.5, y=.5):
        at = self.place(selector, x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def drag(self, selector, start, end):
        a, b = self.place(selector, start), self.place(selector, end)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=a[0], y=a[1])
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=a[0], y=a[1], button="left", clickCount=1)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=b[0], y=b[1], button="left")
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=b[0], y=b[1], button="left", clickCount=1)

    def key(self, name):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def errors(self):
        """What scripts threw and what the console says."""
        out = []
        for e in self.events:
            if e.get("method") == "Runtime.exceptionThrown":
                out.append(e["params"]["exceptionDetails"].get("text", "exception"))
            if e.get("method") == "Log.entryAdded" and e["params"]["entry"]["level"] == "error":
                out.append(e["params"]["entry"]["text"])
            if e.get("method") == "Runtime.consoleAPICalled" and e["params"]["type"] == "error":
                out.append(str(e["params"]["args"]))
        return out

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def pages(self):
        """The page on paper: of every sheet the operators that paint something on it."""
        handle = self.call("Page.printToPDF", transferMode="ReturnAsBase64")["data"]
        import base64
        text = base64.b64decode(handle)
        objects = {int(m.group(1)): m.group(2) for m in re.finditer(rb"(?<!\d)(\d+) 0 obj\b(.*?)endobj", text, re.S)}
        out = []
        for body in objects.values():
            if not re.search(rb"/Type\s*/Page\b", body):
                continue
            number = int(re.search(rb"/Contents\s+(\d+) 0 R", body).group(1))
            # the data end where they say; their last byte may look like the end of a line
            stream = re.search(rb"stream\r?\n(.*)endstream", objects[number], re.S).group(1)
            drawn = zlib.decompressobj().decompress(stream)
            out.append(len(re.findall(rb"\b(?:Tj|TJ|S|Do)\b", drawn)))
        return out

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (EOFError, OSError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
