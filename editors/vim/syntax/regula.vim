" Vim syntax of regula models (.rg), made by tools/make-editors.
if exists("b:current_syntax")
  finish
endif

" Statement words are special at the start of a statement only: output' = input is an equation.
syn match   regulaStatement "\v(^|[;{])\s*\zs<(boundary|data|domain|draw|every|exact|field|for|fun|let|output|over|param|solid|solve|start|state|stop|table|title|var|vector|well|when)>\ze\s*[[:alpha:]_"(0-9`]"
syn keyword regulaFunction abs acos asin atan atan2 ceil cos cosh erf exp floor heaviside if log log10 max min mod sign sin sinh sqrt sum tan tanh
syn keyword regulaField curl dispersion div dot flux force grad integral lap lines maximum mean minimum norm rate
syn match   regulaField "\v<(circle|line|line3|point|text)>\ze\s*\("
syn keyword regulaOperator and not or
syn keyword regulaConstant pi
syn match   regulaModifier "\v<(at|atol|back|bottom|cells|end|from|front|left|periodic|pressure|radius|rate|right|slip|start|stretch|top|with)>\ze\s*[[:alnum:](.)]"
syn match   regulaNumber "\v<\d+(\.\d@=\d*|\.[^.]@=)?([eE][-+]?\d+)?"
syn match   regulaNumber "\v\.@<!\.\d+([eE][-+]?\d+)?"
syn match   regulaPrime "'\+"
syn match   regulaSign "[~^*/+<>=!-]"
syn region  regulaString start=+"+ end=+"+ oneline
syn match   regulaComment "#.*$"

hi def link regulaStatement Statement
hi def link regulaFunction Function
hi def link regulaField Function
hi def link regulaOperator Operator
hi def link regulaConstant Constant
hi def link regulaModifier Type
hi def link regulaNumber Number
hi def link regulaPrime Special
hi def link regulaSign Operator
hi def link regulaString String
hi def link regulaComment Comment

let b:current_syntax = "regula"
