;;; test.el --- Tests of tile-mode against the real server -*- lexical-binding: t; -*-
(require 'ert)
(require 'eglot)
(require 'tile-mode)

(setq tile-server-command (list (getenv "TILE") "lsp")
      eglot-sync-connect 10)

(defconst tile-test-broken "cuda_tile.module @broken {
  entry @broken() {
    %one = constant <f32: 1.0> : tile<f32>
    %sum = addf %one, %undefined : tile<f32>
    %twice =   addf %one, %one : tile<f32>
    return
  }
}
")

(defconst tile-test-hello "cuda_tile.module @hello {
  //@ launch \"once\" grid=(1, 1, 1)
  entry @hello() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %t = print_tko \"hello from block %i\\n\", %x : tile<i32> -> token
    return
  }
}
")

(defun tile-test-wait (description poll)
  "Wait until POLL returns non-nil.  DESCRIPTION is its name in the error."
  (let ((end (+ (float-time) 60)) answer)
    (while (and (not (setq answer (funcall poll))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or answer (ert-fail (format "timed out waiting for %s" description)))))

(defmacro tile-test-with (name text &rest body)
  "Run BODY in a buffer of file NAME with TEXT, served by the language server."
  (declare (indent 2))
  `(let ((file (expand-file-name ,name (getenv "SCRATCH"))))
     (with-temp-file file (insert ,text))
     (with-current-buffer (find-file-noselect file)
       (unwind-protect
           (progn (unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
                  ,@body)
         (set-buffer-modified-p nil)
         (kill-buffer)))))

(ert-deftest tile-recognizes-mlir-files-below-a-comment ()
  (let ((program (expand-file-name "dump.mlir" (getenv "SCRATCH")))
        (other (expand-file-name "other.mlir" (getenv "SCRATCH"))))
    (with-temp-file program (insert "// a dump\n" tile-test-broken))
    (with-temp-file other (insert "// no program\nmodule {\n}\n"))
    (dolist (case `((,program . t) (,other . nil)))
      (with-current-buffer (find-file-noselect (car case))
        (should (eq (derived-mode-p 'tile-mode) (and (cdr case) 'tile-mode)))
        (kill-buffer)))))

(ert-deftest tile-colors-and-indents ()
  (with-temp-buffer
    (insert tile-test-broken)
    (tile-mode)
    (font-lock-ensure)
    (goto-char (point-min))
    (search-forward "addf")
    (should (eq (get-text-property (match-beginning 0) 'face) 'font-lock-builtin-face))
    (search-forward "return")
    (should (eq (get-text-property (match-beginning 0) 'face) 'font-lock-keyword-face))
    (beginning-of-line)
    (delete-horizontal-space)
    (indent-for-tab-command)
    (should (= (current-indentation) 4))))

(ert-deftest tile-diagnostics-hover-format ()
  (tile-test-with "broken.tile" tile-test-broken
    (flymake-mode 1)
    (flymake-start)
    (let ((found (tile-test-wait "a diagnostic" #'flymake-diagnostics)))
      (should (seq-some (lambda (each) (string-match-p "%undefined" (flymake-diagnostic-text each))) found)))
    (goto-char (point-min))
    (search-forward "%twice")
    (backward-char 2)
    (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
      (should (string-match-p "tile<f32>" (format "%S" hover))))
    (eglot-format-buffer)
    (goto-char (point-min))
    (should (search-forward "    %twice = addf %one, %one : tile<f32>\n" nil t))))

(ert-deftest tile-runs-on-request-only ()
  (tile-test-with "hello.tile" tile-test-hello
    (should-not (string-match-p "hello from" (with-current-buffer (tile--output) (buffer-string))))
    (goto-char (point-min))
    (search-forward "print_tko")
    (tile-run)
    (tile-test-wait "the printed text"
                    (lambda () (string-match-p "hello from block 0" (with-current-buffer (tile--output) (buffer-string)))))))

(defconst tile-test-expects "cuda_tile.module @expects {
  //@ launch \"met\" grid=(1, 1, 1)
  //@ expect print \"7\\n\"
  //@ launch \"missed\" grid=(1, 1, 1)
  //@ expect print \"8\\n\"
  entry @seven() {
    %seven = constant <i32: 7> : tile<i32>
    %t = print_tko \"%i\\n\", %seven : tile<i32> -> token
    return
  }

  //@ launch
  //@   %p = f32[1] zeros
  entry @unordered(%p: tile<ptr<f32>>) {
    %one = constant <f32: 1.0> : tile<f32>
    %a = store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token
    %b = store_ptr_tko weak %p, %one : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
")

(declare-function dape "dape")
(declare-function dape-breakpoint-toggle "dape")
(declare-function dape-breakpoint-remove-all "dape")
(declare-function dape-continue "dape")
(declare-function dape-evaluate-expression "dape")
(declare-function dape--live-connection "dape")
(declare-function dape--stopped-threads "dape")

(ert-deftest tile-debugs-with-dape ()
  (skip-unless (require 'dape nil t))
  (should (assq 'tile dape-configs))
  (tile-test-with "hello.tile" tile-test-hello
    (should (equal (list (tile-debug-entry) (tile-debug-launch)) (list "hello" "once")))
    (goto-char (point-min))
    (search-forward "print_tko")
    (dape-breakpoint-toggle)
    (tile-debug)
    (tile-test-wait "the stop" (lambda () (dape--live-connection 'stopped t)))
    (let ((messages (lambda ()
                  (with-current-buffer (messages-buffer) (buffer-string))))
          (shown (lambda () (and (get-buffer "*dape-repl*")
                                 (with-current-buffer "*dape-repl*" (buffer-string))))))
      (dape-evaluate-expression (dape--live-connection 'stopped) "%x")
      (tile-test-wait "the value" (lambda () (string-match-p "\\b0\\b" (concat (funcall shown) (funcall messages)))))
      (dape-breakpoint-remove-all)
      (dape-continue (dape--live-connection 'stopped))
      (tile-test-wait "the printed text" (lambda () (string-match-p "hello from block 0" (or (funcall shown) ""))))
      (tile-test-wait "the end" (lambda () (not (dape--live-connection 'parent t)))))))

(ert-deftest tile-test-lists-failures ()
  (tile-test-with "expects.tile" tile-test-expects
    (tile-test)
    (with-current-buffer "*tile test*"
      (should (derived-mode-p 'compilation-mode))
      (goto-char (point-min))
      (should (search-forward "expects.tile:5:" nil t))
      (should (search-forward "seven · missed" nil t))
      (should (search-forward "expects.tile:17:" nil t))
      (should (search-forward "R0106" nil t))
      (should (search-forward "1 of 3 launches passed" nil t)))))

(ert-deftest tile-sanitizer-finds-more ()
  (tile-test-with "expects.tile" tile-test-expects
    (goto-char (point-max))
    (let ((output (lambda () (with-current-buffer (tile--output) (buffer-string)))))
      (with-current-buffer (tile--output) (erase-buffer))
      (tile-run)
      (tile-test-wait "the end" (lambda () (string-match-p "✓" (funcall output))))
      (should-not (string-match-p "R0106" (funcall output)))
      (tile-sanitize)
      (tile-test-wait "the finding" (lambda () (string-match-p "R0106" (funcall output)))))))

(ert-deftest tile-runs-on-the-selected-target ()
  (tile-test-with "hello.tile" tile-test-hello
    (let ((used (expand-file-name "used" (getenv "SCRATCH")))
          (tile-target nil)
          offered)
      (cl-letf (((symbol-function 'completing-read)
                 (lambda (_prompt all &rest _) (setq offered all) "box:cpu")))
        (call-interactively #'tile-choose-target))
      (should (equal offered '("cpu" "cuda" "box")))
      (should (equal tile-target "box:cpu"))
      ;; Without a display the mode line is not formatted.
      (should (equal mode-name '("Tile IR" (tile-target (":" tile-target)))))
      (should-not (file-exists-p used))
      (tile-run)
      (tile-test-wait "the run on the other machine" (lambda () (file-exists-p used))))))

(ert-deftest tile-shows-generated-code ()
  (tile-test-with "hello.tile" tile-test-hello
    (tile-show "sass" "sm_90")
    (with-current-buffer "*tile sass*"
      (should (string-match-p "SASS of hello.tile for sm_90" (buffer-string)))
      (should (string-match-p "EXIT" (buffer-string)))
      (should buffer-read-only))
    (tile-show "bytecode")
    (with-current-buffer "*tile bytecode*"
      (should (derived-mode-p 'tile-mode))
      (should (string-match-p "entry @hello" (buffer-string))))))

(ert-deftest tile-shows-remarks-of-the-compiler ()
  (tile-test-with "hello.tile" tile-test-hello
    (flymake-mode 1)
    (flymake-start)
    (tile-remarks "sm_90")
    (tile-test-wait "the remark"
                    (lambda ()
                      (cl-some (lambda (found) (string-match-p "high register usage" (flymake-diagnostic-text found)))
                               (flymake-diagnostics))))))

(defconst tile-test-copy "cuda_tile.module @copy {
  //@ launch
  //@   %x = f32[1] iota
  //@   %y = f32[1] zeros
  entry @copy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %v, %t = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %u = store_ptr_tko weak %y, %v token = %t : tile<ptr<f32>>, tile<f32> -> token
  }
}
")

(ert-deftest tile-opens-pages-about-the-entry ()
  (tile-test-with "copy.tile" tile-test-copy
    (let (pages)
      (cl-letf (((symbol-function 'browse-url-of-file)
                 (lambda (file)
                   (push (with-temp-buffer (insert-file-contents file) (buffer-string)) pages))))
        (goto-char (point-min))
        (search-forward "load_ptr_tko")
        (tile-graph)
        (tile-accesses))
      (should (string-match-p "<svg" (cadr pages)))
      (should (string-match-p "\"buffer\":\"%x\"" (car pages))))))

(ert-deftest tile-tuning-needs-a-gpu ()
  (tile-test-with "hello.tile" tile-test-hello
    (let (problem)
      (cl-letf (((symbol-function 'message)
                 (lambda (text &rest values)
                   (let ((shown (apply #'format-message (or text "") values)))
                     (when (string-match-p "GPU" shown) (setq problem shown))
                     shown))))
        (tile-tune)
        (tile-test-wait "the answer" (lambda () problem)))
      (should (string-match-p "tuning needs a GPU" problem)))))

(ert-deftest tile-compares-meanings ()
  (let ((a (expand-file-name "a.tile" (getenv "SCRATCH")))
        (b (expand-file-name "b.tile" (getenv "SCRATCH")))
        (texts (lambda (buffers) (mapcar (lambda (each) (with-current-buffer each (buffer-string))) buffers))))
    (with-temp-file a (insert tile-test-copy))
    (with-temp-file b (insert (string-replace "%v" "%other" tile-test-copy)))
    (should-not (tile--compared a b))
    (with-temp-file b (insert (string-replace "%v" "%other" (string-replace " weak %x" " relaxed device %x" tile-test-copy))))
    (let ((found (funcall texts (tile--compared a b))))
      (should (string-match-p "weak %x" (car found)))
      (should (equal (string-replace "weak %x" "relaxed device %x" (car found)) (cadr found))))
    (should-error (tile--compared a "missing.tile") :type 'user-error)))

(ert-deftest tile-explains-codes ()
  (should (member "E0101" (tile--codes)))
  (tile-explain "E0101")
  (with-current-buffer "*tile explain*"
    (should (string-match-p "undeclared-value" (buffer-string)))
    (font-lock-ensure)
    (should (eq (get-text-property (point-min) 'face) 'bold)))
  (should-error (tile-explain "E9999") :type 'user-error))

(ert-deftest tile-describes-terms ()
  (should (member "partition_view" (tile--terms)))
  (tile-doc "padding value zero")
  (with-current-buffer "*tile doc*"
    (should (string-match-p "padding_value = zero" (buffer-string))))
  (should-error (tile-doc "no such term") :type 'user-error))

(ert-deftest tile-shows-bytecode-as-text ()
  (let* ((source (expand-file-name "code.tile" (getenv "SCRATCH")))
         (file (expand-file-name "code.tileirbc" (getenv "SCRATCH")))
         (content (lambda () (with-temp-buffer
                               (set-buffer-multibyte nil)
                               (insert-file-contents-literally file)
                               (buffer-string)))))
    (with-temp-file source (insert tile-test-hello))
    (should (eq 0 (call-process (getenv "TILE") nil nil nil "build" source "-o" file)))
    (let ((before (funcall content)))
      (with-current-buffer (find-file-noselect file)
        (should (eq major-mode 'tile-bytecode-mode))
        (should (string-match-p "entry @hello" (buffer-string)))
        (should buffer-read-only)
        (unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
        (goto-char (point-min))
        (search-forward "print_tko")
        (backward-char 2)
        (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
          (should (string-match-p "print_tko" (format "%S" hover))))
        (let ((inhibit-read-only t)) (insert " "))
        (should-error (save-buffer) :type 'user-error)
        (set-buffer-modified-p nil)
        (kill-buffer))
      (should (equal before (funcall content))))))
;;; test.el ends here
